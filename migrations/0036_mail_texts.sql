-- The texts that a product adds to mails, cleaned when they are written: a list of language, HTML and text. Null until a
-- product is written again or rebuilt; a mail then cleans the text itself.
set local lock_timeout = '10s';

alter table products add column mail_texts json;

-- Mirrored products no longer contain the mail texts of their originals: every mirror follows its original once more.
insert into original_changes (company_id, original_key, changed_at)
select distinct owner_id, original_key, now() from product_mirrors
on conflict (company_id, original_key) do update set changed_at = excluded.changed_at;

insert into jobs (company_id, kind, data, due_at, created_at)
select owner_id, 'product/follow-originals', '{}'::json, now(), now()
from (select distinct owner_id from product_mirrors) as owners;
