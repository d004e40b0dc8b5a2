-- Usage is updated with every mention, in columns that no plan is made by, and each update counts towards the next look at the planner's
-- statistics: at a tenth, the usual share, a store that takes in thousands a second read 30,000 pages of usage every minute.
alter table usage_day set (autovacuum_analyze_scale_factor = 0.5);
