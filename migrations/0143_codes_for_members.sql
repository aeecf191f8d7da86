-- Redemption codes can make somebody a member of a group instead of giving a product.
set local lock_timeout = '10s';

alter table redemption_codes
  -- Null: it gives a product. Otherwise it gives none, and product_key is 0.
  add column group_id text check (group_id ~ '^[csp][1-9][0-9]{0,17}$'),
  -- Until when whoever redeems it is a member: a day, or so many days from then on; both null: without an end.
  add column member_until timestamptz(0),
  add column member_days integer check (member_days > 0);
