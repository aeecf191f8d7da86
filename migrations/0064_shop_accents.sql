-- The owner's colour of a shop, such as #7b2d72; empty for the colour of the theme.
set local lock_timeout = '10s';

alter table theme_settings add column accent_color text not null default '';
