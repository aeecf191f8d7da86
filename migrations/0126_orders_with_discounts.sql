-- Who used a discount code is read from the orders that have one.
set local lock_timeout = '10s';

create index orders_discounted on orders (company_id, id) where discount_codes::text <> '[]';
