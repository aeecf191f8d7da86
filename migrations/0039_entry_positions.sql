-- A category keeps its entries in the order in which they were sent. An entry that a product adds comes last: its place
-- is its id, which is higher than every place before it.
set local lock_timeout = '10s';

alter table category_entries add column position bigint;
update category_entries set position = id;
alter table category_entries alter column position set not null;
