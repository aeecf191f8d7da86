-- Finds what keeps a shop from selling without looking at everything else that it has. All of these indexes are partial: a
-- product is in one of the first two at most, and jobs and mails that are done are in none.
set local lock_timeout = '10s';

create index products_buyable on products (company_id, id)
  where published and priced and valid and (has_content or pre_sales);
create index products_not_buyable on products (company_id, id)
  where published and not (priced and valid and (has_content or pre_sales));
create index products_stock on products (company_id, items_in_stock, id)
  where manage_stock and items_in_stock is not null;
create index jobs_given_up on jobs (company_id, id) where failed_at is not null;
create index mails_failed on mails (company_id, id) where failed_at is not null;
