-- How long a shipping method takes, in days. Shops say it beside its price.
set local lock_timeout = '10s';

alter table shipping_methods
  add column delivery_days_min integer check (delivery_days_min between 0 and 365),
  add column delivery_days_max integer check (delivery_days_max between 0 and 365),
  add check (delivery_days_min <= delivery_days_max);
