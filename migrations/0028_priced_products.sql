-- Whether a product names a price at all, told by its own row: a shop asks for the ones that don't whenever its state is
-- read, and could find out only by looking at the bindings of every product. Prices that are no longer valid are few, and
-- lead to the products that name them.
set local lock_timeout = '10s';

alter table products add column priced boolean not null default true;

update products set priced = false where not exists (
  select from product_bindings as binding
  where binding.company_id = products.company_id and binding.product_key = products.id and binding.price_id is not null);

alter table products alter column priced drop default;

create index products_unpriced on products (company_id) where not priced;
create index prices_invalid on prices (company_id, id) where valid = 0;
