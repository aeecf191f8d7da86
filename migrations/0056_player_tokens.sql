-- A customer lets an app act for them at one company, as a user lets an app act for the company. Such a grant ends with
-- the relation of the company to the customer. A mailed link signs a customer in who has no password at hand. A login
-- token of a shop owner's own site works once.
set local lock_timeout = '10s';

alter table grants
  alter column user_id drop not null,
  add column customer_id bigint,
  add constraint grants_given_by check ((user_id is null) <> (customer_id is null)),
  add constraint grants_customer foreign key (company_id, customer_id)
    references customer_relations (company_id, customer_id);

create index grants_customer on grants (customer_id) where customer_id is not null;

alter table customer_links
  -- The request of an app at the prompt, to which a link for signing in returns.
  add column query text,
  drop constraint customer_links_kind_check,
  drop constraint customer_links_new_email,
  add constraint customer_links_kind check (kind in ('email', 'password', 'both', 'proof', 'sign-in')),
  add constraint customer_links_new_email check ((kind in ('password', 'sign-in')) = (new_email is null)),
  add constraint customer_links_query check ((kind = 'sign-in') = (query is not null));

create table used_login_tokens (
  company_id bigint not null references companies (id),
  token_hash bytea not null,
  used_at timestamptz(0) not null,
  -- Null: the token names no time at which it was made, so only this row shows that it was used.
  expires_at timestamptz(0),
  primary key (company_id, token_hash)
);

create index used_login_tokens_expiry on used_login_tokens (expires_at) where expires_at is not null;

-- The address of a login names the theme setting, not its company.
create index theme_settings_id on theme_settings (id);
