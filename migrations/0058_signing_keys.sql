-- The keys with which the service signs license files. They belong to the whole installation.
set local lock_timeout = '10s';

create table signing_keys (
  -- The thumbprint of the public key (RFC 7638).
  kid text primary key,
  -- The public half: the "x" of an Ed25519 key in a JSON Web Key (RFC 8037).
  public_key text not null,
  -- The private half, sealed by the vault. Null when the key no longer signs.
  private_key bytea,
  created_at timestamptz(0) not null,
  -- The key signs from here until that of the next key.
  signs_from timestamptz(0) not null,
  -- No file that the key has signed is valid longer than this. Null: it has signed none.
  files_end_at timestamptz(0),
  -- It has signed a file that has no end.
  signed_for_good boolean not null default false
);
