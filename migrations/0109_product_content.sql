-- Whether the file that a product sells is there, so that shops know it without looking at files. It is true for products
-- whose content is no file.
set local lock_timeout = '10s';

alter table products add column has_content boolean not null default true;

update products set has_content = false
where product_type in (1, 4, 5, 7, 9, 16, 22, 23, 24, 27, 29, 30)
  and not exists (
    select from content_files as file
    left join product_mirrors as mirror
      on mirror.company_id = products.company_id and mirror.product_key = products.id
    where file.company_id = coalesce(mirror.owner_id, products.company_id)
      and file.product_key = coalesce(mirror.original_key, products.id)
      and file.role in ('main_hd', 'main_sd') and file.status = 'ready' and file.removed_at is null);
