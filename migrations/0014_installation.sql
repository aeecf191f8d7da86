-- What is true of the whole installation, such as which secret it was set up with.
set local lock_timeout = '10s';

create table installation (
  name text primary key,
  value text not null
);
