int rulewright_abi(void) { return 3; }
