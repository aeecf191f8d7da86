-- The address with which the recipient of a mail can leave the list that the mail was sent to. Null: it is no such mail.
set local lock_timeout = '10s';

alter table mails add column unsubscribe_url text;
