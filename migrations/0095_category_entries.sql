-- A category shows the product_id of each entry. It never changes, so the entry has it too, and with it the index in the
-- order of a category has everything that is shown: a list with 100,000 entries looks up no product.
set local lock_timeout = '10s';

alter table category_entries add column product_id text;
update category_entries as entry set product_id = products.product_id
  from products where products.company_id = entry.company_id and products.id = entry.product_key;
alter table category_entries alter column product_id set not null;

drop index category_entries_order;
create index category_entries_order on category_entries (company_id, category_id, position, product_key)
  include (id, product_id, created_at);
