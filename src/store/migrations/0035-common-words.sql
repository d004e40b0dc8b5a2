-- The most common words, which are not worth an entry each in the index over facets: a bit for each that the mention says. They
-- were a fifth of its entries, and the longest. Mentions of before keep theirs among the facets, where they are looked for as well;
-- a process of before does not find new mentions by such words, and leaves the bits as they were of a text that it edits.
alter table mention add column common_words integer not null default 0;
