-- News of money that belongs to no payment yet. A gateway may send a refund before it sends that the payment was made.
set local lock_timeout = '10s';

create table early_payment_events (
  company_id bigint not null references companies (id),
  -- The name of the money at the gateway, as payments have it.
  reference text not null check (length(reference) <= 255),
  kind text not null check (kind in ('refunded', 'refund failed', 'disputed')),
  -- How much went back in all; 0 for the other kinds.
  refunded_cents bigint not null check (refunded_cents >= 0),
  received_at timestamptz(0) not null,
  primary key (company_id, reference, kind)
);

create index early_payment_events_received on early_payment_events (received_at);
