import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadParser, migrationFaults } from './migration-rules.ts'

before(() => loadParser())

const LOCK = "set local lock_timeout = '10s';\n"
const releases = (version: string) => (version === '0.3.0' ? 152 : undefined)
const faultsOf = (text: string, name = '0160_titles') => migrationFaults({ name, text: LOCK + text }, releases)

describe('a migration may', () => {
  const allowed = [
    'create table films (id bigint primary key, title text not null unique, check (id > 0));',
    'create table films (id bigint); create unique index films_id on films (id); alter table films add column x int not null;',
    'create table films (id bigint); update films set id = 1; alter table films rename column id to key;',
    'alter table orders add column note text;',
    "alter table orders add column note text not null default '';",
    'alter table orders add column made_at timestamptz not null default now(), add column list int[] default array[]::int[];',
    'alter table orders alter column note drop not null;',
    "alter table orders alter column note set default 'x';",
    'alter table orders add column company_of bigint; alter table orders add foreign key (company_of) references companies (id) not valid;',
    'alter table orders add column size int; alter table orders add check (size > 0) not valid;',
    'alter table orders add constraint orders_key unique using index orders_key;',
    "create function f() returns int language sql as $$ select 1 $$; create view v as select 1; create type mood as enum ('a');",
    "insert into currencies values ('EUR'); comment on table orders is 'x';",
    '-- Few rows: companies, one for each shop.\nupdate companies set note = 1; create index companies_note on companies (note);',
  ]
  for (const text of allowed)
    test(text, () => {
      assert.deepEqual(faultsOf(text), [])
    })
})

describe('the version before has to run on the schema, so a migration may not', () => {
  const refused: [string, RegExp][] = [
    ['drop table orders;', /^takes away the table orders$/],
    ['drop view v;', /^takes away the view v$/],
    ['drop function f(int);', /^takes away the function f$/],
    ['drop type mood;', /^takes away the type mood$/],
    ['drop trigger t on orders;', /^takes away the trigger orders$/],
    ['drop index orders_key;', /^takes away the index orders_key$/],
    ['alter table orders drop column note;', /^takes away orders\.note$/],
    ['alter table orders drop constraint note;', /^takes away the constraint orders\.note/],
    ['alter table orders alter column note drop default;', /^takes away the default of orders\.note$/],
    ['alter table orders rename column a to b;', /^renames orders/],
    ['alter table orders rename to sales;', /^renames orders/],
    ['alter table orders rename constraint a to b;', /^renames orders/],
    ['alter index a rename to b;', /^renames a/],
    ['alter type mood rename to moods;', /^renames something/],
    ['alter table orders add column note text not null;', /has no default, so the version before cannot add rows$/],
    [
      'alter table orders add check (note > 1) not valid;',
      /a new rule about note may refuse what the version before writes$/,
    ],
    ['alter table orders add foreign key (note) references notes (id) not valid;', /a new rule about note/],
    ['create trigger t after insert on orders for each row execute function f();', /a trigger changes/],
  ]
  for (const [text, expected] of refused) {
    test(text, () => {
      assert.match(faultsOf(text).join('\n'), expected)
    })
    test(`${text} but in a contract`, () => {
      const contract = `-- Contract: nothing uses it since 0.3.0.\n${text}`
      assert.deepEqual(faultsOf(contract, '0170_contract_0152_titles'), [])
    })
  }
})

describe('requests must not wait for long, so a migration may not, not even a contract,', () => {
  const refused: [string, RegExp][] = [
    ['create index a on orders (note);', /an index locks the table while it is made/],
    ['alter table orders add unique (note);', /a unique constraint locks the table/],
    ['alter table orders add column note text unique;', /a unique constraint locks the table/],
    ['alter table orders add exclude using gist (note with =);', /a unique constraint locks the table/],
    ['alter table orders add column note bigint references notes (id);', /the whole table is read under a lock/],
    ['alter table orders add column note int check (note > 0);', /the whole table is read under a lock/],
    ['alter table orders alter column note type text;', /another type may rewrite the table/],
    ['alter table orders alter column note set not null;', /the whole table is read under a lock/],
    ['alter table orders add column note uuid default gen_random_uuid();', /which rewrites the table/],
    ['alter table orders add column note int generated always as (id + 1) stored;', /which rewrites the table/],
    ['alter table orders add column note int generated always as identity;', /which rewrites the table/],
    ['alter table orders validate constraint note;', /a constraint is validated in a migration named like/],
    ['update orders set note = 1;', /by the worker, in batches/],
    ['delete from orders;', /by the worker, in batches/],
    ['lock table orders;', /has a LockStmt, of which/],
    ['truncate orders;', /has a TruncateStmt, of which/],
    ['vacuum full orders;', /has a VacuumStmt, of which/],
    ['reindex table orders;', /has a ReindexStmt, of which/],
    ['do $$ begin drop table x; end $$;', /has a DoStmt, of which/],
    ['alter table orders set schema other;', /has a AlterObjectSchemaStmt, of which/],
    ['alter table orders set tablespace fast;', /AT_SetTableSpace is nothing of which/],
  ]
  for (const [text, expected] of refused)
    test(text, () => {
      assert.match(faultsOf(text).join('\n'), expected)
      const contract = `-- Contract: nothing uses it since 0.3.0.\n${text}`
      assert.match(faultsOf(contract, '0170_contract_0152_titles').join('\n'), expected)
    })

  test('wait for a lock without an end', () => {
    const faults = migrationFaults({ name: '0160_titles', text: 'create table films ();' }, releases)
    assert.deepEqual(faults, ["has to begin with set local lock_timeout = '10s'"])
  })
})

describe('outside of a transaction', () => {
  const faults = (text: string) => migrationFaults({ name: '0160_concurrently_notes', text }, releases).join('\n')
  const INDEX = 'drop index concurrently if exists a;\ncreate unique index concurrently a on orders (note);\n'

  test('indexes are made and constraints are validated', () => {
    assert.equal(faults(`${INDEX}alter table orders validate constraint note;\n`), '')
  })

  test('an index can be made again after an interruption', () => {
    assert.match(
      faults('create index concurrently a on orders (note);'),
      /needs "drop index concurrently if exists a;"/,
    )
    assert.match(faults(INDEX.replace('exists a', 'exists b')), /needs "drop index concurrently if exists a;"/)
    assert.match(faults(INDEX.replace('index concurrently a', 'index a')), /has to be created concurrently/)
  })

  test('nothing else is done', () => {
    assert.match(faults(`${INDEX}alter table orders add column b text;`), /has a AlterTableStmt, which belongs/)
    assert.match(faults('drop index concurrently if exists a;'), /takes away the index a and does not create it again/)
  })
})

describe('a contract', () => {
  const DROP = 'alter table orders drop column note;'

  test('names its release in its fixed form', () => {
    assert.match(
      faultsOf(DROP, '0170_contract_0152_titles').join(),
      /needs the line "-- Contract: nothing uses it since/,
    )
    const since = (version: string) => `-- Contract: nothing uses it since ${version}.\n${DROP}`
    assert.match(faultsOf(since('0.4.0'), '0170_contract_0152_titles').join(), /names the release 0\.4\.0/)
    assert.match(faultsOf(since('0.3.0'), '0170_contract_0151_titles').join(), /has 151 in its name/)
    assert.match(faultsOf(since('0.3.0')).join(), /its name has to be like 0170_contract_0152_old_titles/)
  })
})

test('what is no SQL, and a migration without a statement, are refused', () => {
  assert.match(faultsOf('alter table;').join(), /is no SQL that PostgreSQL understands: syntax error/)
  assert.deepEqual(migrationFaults({ name: '0160_titles', text: '-- nothing\n' }, releases), ['has no statement'])
})
