-- Does a license put the name of the buyer into PDFs and EPUBs?
set local lock_timeout = '10s';

alter table licenses add column stamp smallint not null default 1 check (stamp in (0, 1));

-- The stored documents get the field that the presenter adds at their end.
update licenses set document = left(document, -1) || ',"stamp":1}';
