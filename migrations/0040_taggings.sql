-- Every product has a tagging from the start, an empty one if nothing was said. A mirrored product has that of its
-- original.
set local lock_timeout = '10s';

create temporary table new_taggings on commit drop as
  select company_id, id, '"tagging":{"id":' || nextval('part_ids') || ',"isbn":null,"year":null}' as tagging
  from products
  where tagging->>'tagging' is null;

update new_taggings set tagging = original.tagging
  from product_mirrors as mirror
  join new_taggings as original on original.company_id = mirror.owner_id and original.id = mirror.original_key
  where mirror.company_id = new_taggings.company_id and mirror.product_key = new_taggings.id;

-- As text, because jsonb would change the order of the attributes.
update products set
    tagging = replace(products.tagging::text, '"tagging":null', added.tagging)::json,
    document = replace(document, '"tagging":null', added.tagging)
  from new_taggings as added
  where added.company_id = products.company_id and added.id = products.id;
