-- What was read from the bytes of a content file when it was uploaded, and what is wrong with them.
set local lock_timeout = '10s';

alter table content_files
  -- In seconds.
  add column duration integer check (duration > 0),
  -- Of the picture of a film, in pixels.
  add column width integer check (width > 0),
  add column height integer check (height > 0),
  add column pages integer check (pages > 0),
  add column chapters integer check (chapters > 0),
  -- Null: nothing is wrong, or the file was not checked.
  add column fault text check (fault in (
    'incomplete', 'damaged', 'no_media', 'not_playable', 'password_required', 'encrypted', 'no_reading_order',
    'chapters_missing', 'too_complex'));
