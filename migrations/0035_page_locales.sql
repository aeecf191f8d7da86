-- The texts of a shop as its pages show them, with the HTML of the owner turned into text when it is written.
-- `page_locales` is null until the program that brings the schema up to date has presented the shop.
set local lock_timeout = '10s';

alter table theme_settings add column page_locales json;

drop index theme_settings_unpresented;
create index theme_settings_unpresented on theme_settings (company_id, id) where document is null or page_locales is null;
