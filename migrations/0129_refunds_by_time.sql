-- The statistics of refunds read those of some days: few, compared with the orders.
set local lock_timeout = '10s';

create index refunds_time on refunds (company_id, created_at);
