-- What teams mark moves how later mentions of the same keyword are judged. Whoever judges keeps the marks of a keyword for as
-- long as this number stays; it rises with every mark that is set, changed or taken back, and 0 says that there never was one.
alter table keyword_counter add column marks_version integer not null default 0;

-- The latest marks of a keyword, of each kind.
create index mention_marked on mention (workspace_id, keyword_id, feedback_relevant, feedback_at desc) where feedback_at is not null;

update keyword_counter c set marks_version = 1
where exists (select from mention m where m.workspace_id = c.workspace_id and m.keyword_id = c.keyword_id and m.feedback_at is not null);
