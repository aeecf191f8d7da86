-- The products that a collection or a variation includes, and the one that a buyer has chosen of a variation.
set local lock_timeout = '10s';

alter table products add column included json not null default '[]';

alter table order_lines add column chosen_product_id text;
