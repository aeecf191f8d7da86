-- The icon of a shop is fetched as the pictures of products are: pages load nothing from other hosts.
set local lock_timeout = '10s';

alter table pictures
  add column theme_setting_id bigint,
  add foreign key (company_id, theme_setting_id) references theme_settings (company_id, id) on delete cascade;

create index pictures_theme_setting on pictures (company_id, theme_setting_id) where theme_setting_id is not null;
