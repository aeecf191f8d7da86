-- Customers change what their subscription is paid with, and declare cancellations.
set local lock_timeout = '10s';

-- A payment of nothing, with which a gateway saves what later periods are charged to.
alter table payments add column saves_means boolean not null default false;

-- The payment with which the customer is changing the means, until its gateway says what became of it.
alter table subscriptions add column next_means_payment_id bigint;
-- When the customer last changed the means. A charge that began before may have used the earlier ones.
alter table subscriptions add column means_changed_at timestamptz(0);
