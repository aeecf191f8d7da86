-- An uploaded picture belongs to nothing until a product, a category or a shop takes it. The rest is deleted after a day.
set local lock_timeout = '10s';

create index pictures_unused on pictures (created_at)
  where product_key is null and category_id is null and theme_setting_id is null;
