-- What lists of orders are narrowed by, found by key however many orders there are.
set local lock_timeout = '10s';

-- An index in the order of ids is none for what is null before them: those not yet shipped have one of their own.
create index orders_not_shipped on orders (company_id, id) where fulfillment_status is null;
create index orders_not_shipped_financial on orders (company_id, financial_status, id) where fulfillment_status is null;

-- Changed since a time and made before it: the time lies between the two. Neither alone finds them, because nearly all
-- orders were made before it or changed since.
drop index orders_changed;
create index orders_changed on orders using gist (tstzrange(created_at, updated_at, '(]')) where updated_at > created_at;
