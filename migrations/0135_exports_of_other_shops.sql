-- The shop that a file was exported from, which tells how its columns are read, and the products that names in a file of sales
-- stand for.
set local lock_timeout = '10s';

alter table imports
  add column exported_from text,
  add column matches json not null default '[]';
