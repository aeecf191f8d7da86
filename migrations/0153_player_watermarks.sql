-- Shops that name the buyer on the picture of a film.
-- Few rows: theme_settings, one for each shop.
set local lock_timeout = '10s';

alter table theme_settings add column player_watermark boolean not null default false;

-- The stored documents get the field that the presenter adds at their end.
update theme_settings set document = left(document, -1) || ',"player_watermark":false}' where document is not null;
