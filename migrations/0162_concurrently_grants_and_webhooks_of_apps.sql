-- A company that is deleted, and an app that ends, read all rows of these tables for want of an index. Few of their rows are written.
drop index concurrently if exists customer_links_company;
create index concurrently customer_links_company on customer_links (company_id);
drop index concurrently if exists grants_app;
create index concurrently grants_app on grants (app_id);
drop index concurrently if exists webhooks_app;
create index concurrently webhooks_app on webhooks (app_id);
drop index concurrently if exists grants_by_user;
create index concurrently grants_by_user on grants (user_id);
