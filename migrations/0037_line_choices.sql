-- What else chose the binding of a line, where a license is sold in several: the kind of audio, and the number of users.
alter table order_lines
  add column audio_type int,
  add column num_users int;
