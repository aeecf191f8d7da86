-- For how many days a company waits for the payment of a bill before the order is cancelled; 0: for ever.
set local lock_timeout = '10s';

alter table payment_gateways add column payment_due_days smallint not null default 14
  check (payment_due_days between 0 and 365);

create index orders_unpaid_bills on orders (company_id, id)
  where financial_status = 'pending' and cancelled_at is null and gateway = 'Manual';
