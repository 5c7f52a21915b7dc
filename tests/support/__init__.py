"""What tests are written with: scripted dice, given/when/then, a toy game. Nothing here replaces a part of the product."""
