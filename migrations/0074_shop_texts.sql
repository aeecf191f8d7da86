-- The texts of a shop that have pages of their own: about, imprint, terms, withdrawal, privacy.
set local lock_timeout = '10s';

-- The program that brings the schema up to date presents these shops again, so documents and page texts get the fields.
update theme_settings set document = null, page_locales = null, locales = coalesce((
  select json_agg(
    (left(locale.entry::text, -1) || ',"about":"","imprint":"","terms":"","withdrawal":"","privacy":""}')::json
    order by locale.place)
  from json_array_elements(theme_settings.locales) with ordinality as locale (entry, place)), '[]');
