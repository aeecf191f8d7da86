-- The shop that a file was exported from, which tells how its columns are read.
set local lock_timeout = '10s';

alter table imports add column exported_from text;
