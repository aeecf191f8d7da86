-- The demo shop is entered by a link that the start of the service prints.
set local lock_timeout = '10s';

alter table one_time_links drop constraint one_time_links_kind_check;
alter table one_time_links add constraint one_time_links_kind_check
  check (kind in ('invitation', 'reset', 'first run', 'demo'));
