-- How much of a customer waits for its payment is limited, and what a guest has ordered by bill is reserved until a time.
set local lock_timeout = '10s';

create index orders_unpaid_customer on orders (company_id, customer_id)
  where financial_status = 'pending' and cancelled_at is null;

-- For how many hours the bill of somebody who has not signed in keeps goods from others; 0: as long as any other bill.
alter table payment_gateways add column guest_bill_hours smallint not null default 24
  check (guest_bill_hours between 0 and 8760);

-- Until when the order of a bill is reserved. Null: as long as the company waits for any bill.
alter table payments add column reserved_until timestamptz(0);

create index payments_reserved on payments (company_id, id) where reserved_until is not null and status = 'pending';
