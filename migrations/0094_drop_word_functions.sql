-- The words of products and of searches are split by the service: PostgreSQL took half a millisecond for a description, and took
-- quotation marks and dashes beyond ASCII for letters. Words that were stored before stay; `licet rebuild` stores them again.
set local lock_timeout = '10s';

drop function words_of_product(bigint, text, json, text);
drop function separate_words(text);
