-- The trial of a program is a content file of a role of its own.
set local lock_timeout = '10s';

alter table content_files drop constraint content_files_role_check;
alter table content_files add constraint content_files_role_check
  check (role in ('main_hd', 'main_sd', 'trailer', 'preview', 'extra', 'subtitles', 'trial'));
