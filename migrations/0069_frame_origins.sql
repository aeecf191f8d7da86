-- The origins of the sites that may show a shop in a frame.
set local lock_timeout = '10s';

alter table theme_settings add column frame_origins text[] not null default '{}';

-- The stored documents get the field that the presenter adds at their end.
update theme_settings set document = left(document, -1) || ',"frame_origins":[]}' where document is not null;
