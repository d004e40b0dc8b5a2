-- Answers to marked requests may hold secrets that are shown once, so they are kept sealed. Those kept until now are forgotten.
delete from request_answer;
alter table request_answer drop column answer, add column answer_sealed text not null default '';
