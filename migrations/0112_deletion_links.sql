-- A link with which a customer deletes the account, mailed to the address of the account.
set local lock_timeout = '10s';

alter table customer_links
  drop constraint customer_links_kind,
  drop constraint customer_links_new_email,
  add constraint customer_links_kind check (kind in ('email', 'password', 'both', 'proof', 'sign-in', 'deletion')),
  add constraint customer_links_new_email
    check ((kind in ('password', 'sign-in', 'deletion')) = (new_email is null));
