"""Files of the outside world: how they are read, how they are written, and how their words are shown.

Rulesets, saves, records, policies and corpora come from strangers, so no other module opens such a file. What comes in
is the content of a regular file of bounded size (`reading`); what goes out replaces a file as a whole or not at all
(`writing`); and what is shown to a person contains no character that a terminal or a page would obey (`shown`). What
stages keep on disk is plain data (`plain_data`), most of it of classes that `records` makes. This package knows no
stage and no kind of file.
"""
