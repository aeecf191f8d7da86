-- What the home page of a shop shows in which order, and where its menu leads; null: as the categories are.
set local lock_timeout = '10s';

alter table theme_settings add column home_sections json;
alter table theme_settings add column menu json;

-- The stored documents get the fields that the presenter adds at their end.
update theme_settings set document = left(document, -1) || ',"home_sections":null,"menu":null}' where document is not null;
