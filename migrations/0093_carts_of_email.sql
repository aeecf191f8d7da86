-- Most carts have no e-mail address yet, or none any more. Their place in the index made PostgreSQL believe that an address
-- has as many carts, and read all of them.
set local lock_timeout = '10s';

drop index carts_of_email;
create index carts_of_email on carts (company_id, theme_setting_id, lower(details ->> 'email'))
  where details ->> 'email' <> '';
