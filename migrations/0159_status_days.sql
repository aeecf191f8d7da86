-- What has worked, minute by minute, for the status page: a day of a part is a row with a bit for each of its minutes in UTC.
set local lock_timeout = '10s';

create table status_days (
  day date not null,
  part text not null check (octet_length(part) <= 40),
  minutes bit(1440) not null,
  seen_at timestamptz not null,
  primary key (day, part)
);
