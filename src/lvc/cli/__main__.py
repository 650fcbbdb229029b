from lvc.cli.run import main

main()
