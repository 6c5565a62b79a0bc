-- Programs of schema 28: processes claim chores.
INSERT INTO chores (name, process, claimed_at) VALUES ('sweep', 'proc_1', 1700000000000000);
