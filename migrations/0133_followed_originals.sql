-- When a mirrored product last followed a change of its original, and what that changed: the shop that sells it sees it.
set local lock_timeout = '10s';

alter table product_mirrors
  add column followed_at timestamptz(0),
  add column followed_changes text[] not null default '{}';
