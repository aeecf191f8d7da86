-- The keys of a product are listed, also those that customers have.
set local lock_timeout = '10s';

create index software_keys_product on software_keys (company_id, product_key, id);
