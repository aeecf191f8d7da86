-- What customers were told about the right of withdrawal when they bought digital content in a shop, and whether they agreed
-- to start at once.
set local lock_timeout = '10s';

alter table orders add column withdrawal json;
