-- A mail from a shop to its customer shows the name of the shop, and answers go to the company. Null: as the service is set up.
set local lock_timeout = '10s';

alter table mails
  add column sender_name text,
  add column reply_to text;
